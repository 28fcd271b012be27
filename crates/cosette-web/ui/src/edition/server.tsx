// The edition of the server's page.

import { isLocal } from "../api";
import { SharingButton } from "../share/machines";
import { take } from "../stores/batch";
import { Api } from "../views/api";
import { Batch } from "../views/batch";
import { Tables } from "../views/tables";
import type { Edition } from "./edition";

export const edition: Edition = {
  views: {
    batch: { name: "Batch", View: Batch },
    tables: { name: "Tables", View: Tables },
    api: { name: "API", View: Api },
  },
  Buttons: SharingButton,
  ListHelp: ({ text }) => (
    <button type="button" class="quiet" onClick={() => take(text)}>
      Solve them in Batch
    </button>
  ),
  Notices: null,
  Footer: () => (
    <>
      {isLocal ? "Runs on your machine. Nothing is uploaded. " : "Runs on the server. "}
      <a href="/licenses.txt" target="_blank">
        Third-party licenses
      </a>
    </>
  ),
};
