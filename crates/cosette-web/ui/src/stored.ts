// Values kept in the browser: the work in session storage for a reload, preferences in local storage.

/** A value in the browser's storage. */
export class Stored<T> {
  constructor(
    private readonly name: string,
    private readonly fallback: T,
    /** Where it is kept. A browser may refuse even to name it. */
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

  /** Keeps a value, and returns whether the browser does. Without storage the page works, but remembers nothing. */
  set(value: T): boolean {
    try {
      this.storage().setItem(this.name, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  }
}
