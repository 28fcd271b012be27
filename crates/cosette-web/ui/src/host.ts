// The machine to which an address leads.

/** Whether a name leads to the machine itself, whichever it is. */
export function isOfThisMachine(host: string): boolean {
  return ["127.0.0.1", "localhost", "[::1]"].includes(host);
}
