// The entry: the engine begins its work while the app is loaded.

import { settled } from "#engine";

void settled.then(() => import("./main"));
