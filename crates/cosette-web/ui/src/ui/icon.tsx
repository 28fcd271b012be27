// Icons as SVG paths, because fonts differ in which of these symbols they have.

const PATHS = {
  play: "M5 3l8 5-8 5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  forth: "M4 4l6 4-6 4zM11 4h2v8h-2z",
  back: "M12 4L6 8l6 4zM3 4h2v8H3z",
  end: "M2 4l5 4-5 4zM7 4l5 4-5 4zM12 4h2v8h-2z",
  start: "M14 4L9 8l5 4zM9 4L4 8l5 4zM2 4h2v8H2z",
  light:
    "M8 5a3 3 0 100 6 3 3 0 000-6zM7.3 1h1.4v2.4H7.3zM7.3 12.6h1.4V15H7.3zM1 " +
    "7.3h2.4v1.4H1zM12.6 7.3H15v1.4h-2.4zM3 4l1-1 1.7 1.7-1 1zM10.3 11.3l1-1L13 12l-1 " +
    "1zM3 12l1.7-1.7 1 1L4 13zM10.3 4.7L12 3l1 1-1.7 1.7z",
  dark: "M6.5 2A6 6 0 1014 9.5 5 5 0 016.5 2z",
  system: "M8 2a6 6 0 100 12A6 6 0 008 2zm0 1.4v9.2a4.6 4.6 0 010-9.2z",
} as const;

/** The name of an icon. */
export type Icon = keyof typeof PATHS;

/** An icon, used next to text or instead of it. */
export function IconSign({ name }: { name: Icon }) {
  return (
    <svg viewBox="0 0 16 16" class="sign" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
