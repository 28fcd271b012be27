// Between components and the views that still make their elements themselves; goes with the last of
// those.

import { render, type VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Renders a component with one root element, and returns that element. */
export function elementOf(vnode: VNode): HTMLElement {
  const fragment = document.createDocumentFragment();
  render(vnode, fragment);
  return fragment.firstElementChild as HTMLElement;
}

/** Shows an element in a component. */
export function Embedded({ element, hidden }: { element: HTMLElement; hidden: boolean }) {
  const holder = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => holder.current!.append(element), [element]);
  useLayoutEffect(() => void (element.hidden = hidden), [hidden]);
  return <div ref={holder} />;
}
