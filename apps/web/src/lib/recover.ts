const everyMs = 3_000
/** A page that is broken although the server answers is not loaded again and again. */
const onceInMs = 60_000

interface Surroundings {
  /** Whether the server answers. Never rejects. */
  probe(): Promise<boolean>
  reload(): void
  now(): number
  /** When this page was last loaded again by itself; 0 when never. */
  last: { get(): number; set(time: number): void }
}

/**
 * Loads the page again once the server answers: as soon as it is back after an absence, else at most once a minute.
 * Gives back how to stop.
 */
export function reloadOnRecovery({ probe, reload, now, last }: Surroundings): () => void {
  let wasAway = false
  let stopped = false
  const attempt = async () => {
    const answers = await probe()
    if (stopped) return
    if (answers && (wasAway || now() - last.get() > onceInMs)) {
      last.set(now())
      reload()
    } else {
      wasAway ||= !answers
      timer = setTimeout(attempt, everyMs)
    }
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  void attempt()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
