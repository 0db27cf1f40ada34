/** A check on the code itself. `complaints` gives one line for each fault: where it is, and how to mend it. */
export type Check = {
  name: string
  complaints: (root: string) => Promise<string[]> | string[]
}
