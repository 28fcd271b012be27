// What the page remembers: of the work at hand for a reload of this tab, of taste for the next time.

/** A value that lives as long as its storage. */
export class Remembered<T> {
  constructor(
    private readonly name: string,
    private readonly otherwise: T,
    private readonly storage: Storage = sessionStorage,
  ) {}

  get(): T {
    try {
      const stored = this.storage.getItem(this.name);
      return stored === null ? this.otherwise : { ...this.otherwise, ...(JSON.parse(stored) as T) };
    } catch {
      return this.otherwise;
    }
  }

  set(value: T): void {
    try {
      this.storage.setItem(this.name, JSON.stringify(value));
    } catch {
      // A full or forbidden storage costs the memory, no more.
    }
  }
}
