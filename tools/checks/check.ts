/** A check of the repository. `complaints` returns one line per violation: its location and how to fix it. */
export type Check = {
  name: string
  complaints: (root: string) => Promise<string[]> | string[]
}
