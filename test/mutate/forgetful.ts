/** Stands for `WeakMap` in the bundle: what is derived with one mutant isn't what another would derive. */
let generation = 0;

export function forget(): void {
  generation++;
}

class Forgetful<Key extends WeakKey, Value> {
  #made = generation;
  #values = new globalThis.WeakMap<Key, Value>();

  get(key: Key): Value | undefined {
    return this.#latest().get(key);
  }

  has(key: Key): boolean {
    return this.#latest().has(key);
  }

  set(key: Key, value: Value): this {
    this.#latest().set(key, value);
    return this;
  }

  delete(key: Key): boolean {
    return this.#latest().delete(key);
  }

  #latest() {
    if (this.#made !== generation) this.#values = new globalThis.WeakMap();
    this.#made = generation;
    return this.#values;
  }
}

export { Forgetful as WeakMap };
