// The player as elements, for the view that makes its elements itself; goes with that view.

import { elementOf } from "../bridge";
import * as stores from "../stores/player";
import { Controls } from "./controls";
import { Moves } from "./moves";
import { Stage } from "./stage";

export class Player {
  private readonly store = new stores.Player();
  readonly stage = elementOf(<Stage player={this.store} />);
  readonly moves = { element: elementOf(<Moves player={this.store} />) };
  readonly controls = {
    element: elementOf(<Controls player={this.store} isStrong />),
    isStrong: true,
    pause: () => this.store.pause(),
  };
  readonly show = this.store.show.bind(this.store);
  readonly load = this.store.load.bind(this.store);
}
