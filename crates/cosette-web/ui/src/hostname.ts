// Classification of host names.

/** Returns `true` if a name always refers to the local machine. */
export function isOfThisMachine(host: string): boolean {
  return ["127.0.0.1", "localhost", "[::1]"].includes(host);
}
