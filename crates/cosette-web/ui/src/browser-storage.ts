// Values stored in the browser: the current work in session storage for a reload, preferences in
// local storage.

/** A value in the browser's storage. */
export class Stored<T> {
  constructor(
    private readonly name: string,
    private readonly fallback: T,
    /** The storage area. A browser may throw on mere access to it. */
    private readonly storage: () => Storage = () => sessionStorage,
  ) {}

  get(): T {
    try {
      const stored = this.storage().getItem(this.name);
      return stored === null ? this.fallback : { ...this.fallback, ...(JSON.parse(stored) as T) };
    } catch {
      return this.fallback;
    }
  }

  /**
   * Stores a value, and returns `true` if the browser accepts it. Without storage the page works,
   * but nothing survives a reload.
   */
  set(value: T): boolean {
    try {
      this.storage().setItem(this.name, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  }
}
