// The entry: the page takes its theme and its typeface, and the engine begins its work, while the
// app is loaded.

import { settled } from "#engine";
import "./stores/theme";
import "./style/fonts.css";
import "./style/tokens.css";
import "./style/elements.css";

document.fonts.load("1em Inter").catch(() => undefined);

void settled.then(() => import("./main"));
