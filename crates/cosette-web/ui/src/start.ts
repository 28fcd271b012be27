// The entry: the engine begins its work while the app is loaded.

import "#engine";

void import("./main");
