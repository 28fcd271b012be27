// The edition of the offline web app: the engine runs in workers of the browser.

import { InstallButton } from "../site/install";
import { EngineNotices } from "../site/notices";
import { Programs, README } from "../site/programs";
import { UpdateButton } from "../site/updates";
import { Tables } from "../views/tables";
import type { Edition } from "./edition";

export const edition: Edition = {
  views: {
    tables: { name: "Tables", View: Tables },
    programs: { name: "Programs", View: Programs },
  },
  Buttons: () => (
    <>
      <UpdateButton />
      <InstallButton />
    </>
  ),
  ListHelp: () => (
    <p>
      This app solves one position at a time. To solve a list, use one of the{" "}
      <a href="#programs">programs</a>.
    </p>
  ),
  Notices: EngineNotices,
  Footer: () => (
    <>
      Runs in your browser. Nothing is uploaded. <a href={README}>Documentation</a>, third-party
      licenses: <a href="licenses.txt">web app</a>, <a href="third-party.txt">engine</a>
    </>
  ),
};
