// The entry: the page takes its theme, and the engine begins its work, while the app is loaded.

import { settled } from "#engine";
import "./stores/theme";
import "./style/tokens.css";

void settled.then(() => import("./main"));
