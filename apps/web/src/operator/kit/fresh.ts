import { cell } from '../../lib/cell.ts'

/** The open question for a fresh code. Rendered by FreshHost. */
export const freshCodeRequest = cell<{ answer(entered: boolean): void } | null>(null)

/** Asks for a fresh code of the authenticator; resolves with whether the session is fresh then. */
export const askFreshCode = (): Promise<boolean> =>
  new Promise(resolve => {
    freshCodeRequest.get()?.answer(false)
    freshCodeRequest.set({
      answer: entered => {
        freshCodeRequest.set(null)
        resolve(entered)
      },
    })
  })
