// Tabs, of which one is open.

import { effect, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import "./tabs.css";

/** The tabs, each with the text on it; `open` is the open one, and `label` names them all. */
export function Tabs<T extends string>(props: {
  label: string;
  tabs: [tab: T, text: string][];
  open: Signal<T>;
}) {
  const { tabs, open } = props;
  const list = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(([tab]) => tab === open.value);
    const last = tabs.length - 1;
    const next = {
      ArrowLeft: at === 0 ? last : at - 1,
      ArrowRight: at === last ? 0 : at + 1,
      Home: 0,
      End: last,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    open.value = tabs[next]![0];
    (list.current!.children[next] as HTMLElement).focus();
  };
  return (
    <div ref={list} class="tabs" role="tablist" aria-label={props.label} onKeyDown={onKey}>
      {tabs.map(([tab, text]) => (
        <button
          type="button"
          id={`${tab}-tab`}
          role="tab"
          aria-controls={`${tab}-panel`}
          aria-selected={tab === open.value}
          tabIndex={tab === open.value ? 0 : -1}
          onClick={() => (open.value = tab)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

/** The content of a tab. It is shown at once when the tab is opened, so that it can be focused. */
export function TabPanel<T extends string>(props: {
  tab: T;
  open: Signal<T>;
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ComponentChildren;
}) {
  const { tab, open, ...rest } = props;
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => effect(() => void (panel.current!.hidden = open.value !== tab)), []);
  return (
    <div
      {...rest}
      ref={panel}
      id={`${tab}-panel`}
      class="panel"
      role="tabpanel"
      aria-labelledby={`${tab}-tab`}
    />
  );
}
