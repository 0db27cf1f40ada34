/** Does a work unless the same one is under way: a fast second click is no second order. */
export async function runOnce(underWay: Set<string>, name: string, work: () => Promise<unknown>): Promise<void> {
  if (underWay.has(name)) return
  underWay.add(name)
  try {
    await work()
  } finally {
    underWay.delete(name)
  }
}
