import { createHash } from 'node:crypto'

/** Something to do once, such as running a test file. */
export interface Job {
  name: string
  /** How long it is expected to take (s). */
  seconds: number
  /** Name of a job that must have ended before. */
  after?: string
  /** How many of the workers may do it: those with the lowest numbers. By default all. */
  workers?: number
  /** Does the work. `worker` is the number of the worker that does it, from 0. */
  run: (worker: number) => Promise<void>
}

/** Does jobs on some workers at the same time, in the given order as far as they need not wait for another. */
export async function runPool(jobs: Job[], workers: number): Promise<void> {
  const waiting = [...jobs]
  const ended = new Set<string>()
  const planned = new Set(jobs.map(job => job.name))
  const isReady = ({ after }: Job) => after === undefined || !planned.has(after) || ended.has(after)
  const mayDo = (worker: number, job: Job) => worker < (job.workers ?? workers) && isReady(job)
  let wake = () => {}
  let change = Promise.resolve()
  const newChange = () => {
    change = new Promise(resolve => {
      wake = resolve
    })
  }
  newChange()
  const work = async (worker: number) => {
    while (waiting.some(({ workers: most }) => worker < (most ?? workers))) {
      const at = waiting.findIndex(job => mayDo(worker, job))
      const [job] = at < 0 ? [] : waiting.splice(at, 1)
      if (!job) {
        await change
        continue
      }
      await job.run(worker)
      ended.add(job.name)
      wake()
      newChange()
    }
  }
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)))
}

/** Sorts jobs: those that others wait for, those that only some workers may do, then the longest. */
export function longestFirst(jobs: Job[]): Job[] {
  const awaited = new Set(jobs.map(job => job.after))
  const group = (job: Job) => (awaited.has(job.name) ? 0 : job.workers === undefined ? 2 : 1)
  return jobs.toSorted((a, b) => group(a) - group(b) || b.seconds - a.seconds)
}

/** Shuffles jobs into an order drawn from `seed`. */
export function shuffled(jobs: Job[], seed: number): Job[] {
  const rank = ({ name }: Job) => createHash('sha256').update(`${seed} ${name}`).digest('hex')
  return jobs.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
}
