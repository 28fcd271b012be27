// The style of the element. It takes the font and the color of the page around it, so it is as dark
// or light as the page is. Constructed style sheets are allowed under any content security policy.

const STYLE = `
:host {
  display: block;
  max-width: 18rem;
}
:host([hidden]),
[hidden] {
  display: none !important;
}
.stage {
  position: relative;
}
.cube {
  display: block;
  width: 100%;
}
.cube path {
  stroke-linejoin: round;
  stroke-width: 0.02;
}
.body { fill: var(--cosette-body, #1b1e24); stroke: var(--cosette-body, #1b1e24); }
.U { fill: var(--cosette-U, #f5f5f2); }
.R { fill: var(--cosette-R, #d93a2b); }
.F { fill: var(--cosette-F, #22b24c); }
.D { fill: var(--cosette-D, #ffe135); }
.L { fill: var(--cosette-L, #ff8a1f); }
.B { fill: var(--cosette-B, #2a6fdb); }
.stage button {
  position: absolute;
  right: 0;
  bottom: 0;
}
.controls,
.actions {
  display: flex;
  align-items: center;
  gap: 0.4em;
}
.actions {
  gap: 1em;
}
button {
  min-width: 2.4em;
  min-height: 2.4em;
  padding: 0.2em 0.5em;
  border: 1px solid;
  border-radius: 0.4em;
  background: none;
  color: inherit;
  font: inherit;
  cursor: pointer;
}
button[aria-disabled="true"] {
  opacity: 0.4;
  cursor: default;
}
button svg {
  display: block;
  width: 1.2em;
  margin: auto;
  fill: currentColor;
}
input {
  flex: 1;
  min-width: 3em;
  accent-color: var(--cosette-accent, auto);
}
:focus-visible {
  outline: 2px solid var(--cosette-accent, currentColor);
  outline-offset: 2px;
}
.moves {
  display: flex;
  flex-wrap: wrap;
  margin: 0.4em 0;
}
.moves button {
  min-width: 1.8em;
  min-height: 1.8em;
  padding: 0 0.2em;
  border-color: transparent;
}
.moves .next {
  border-color: currentColor;
}
p {
  margin: 0.4em 0;
}
.facts {
  font-weight: 600;
}
.facts:empty,
.error:empty {
  margin: 0;
}
.error:not(:empty) {
  padding-inline-start: 0.6em;
  border-inline-start: 3px solid #d93a2b;
  overflow-wrap: anywhere;
}
a {
  color: inherit;
}
`;

/** Gives the style to the root of an element. */
export function addStyle(root) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];
}
