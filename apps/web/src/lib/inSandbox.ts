/**
 * What a sandbox does by itself in place of mailbox, operator and payer. Pages import it in a sandbox only, when it is
 * needed.
 */

/** Calls a route of the sandbox, which is not in the contract. Throws the server's message, or `unreachable`. */
export async function callSandbox<T>(path: string, body?: object, unreachable = ''): Promise<T> {
  const headers = { 'X-Language': document.documentElement.lang, ...(body && { 'Content-Type': 'application/json' }) }
  const init = { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) }
  const answer = await fetch(`/sandbox/${path}`, init)
    .then(response => response.json() as Promise<{ code?: number; msg?: string; data: T }>)
    .catch(() => null)
  if (answer?.code !== 200) throw new Error(answer?.msg ?? unreachable)
  return answer.data
}

/** Does what the operator or the payer does. */
export const sandboxActs = {
  approve: (mchid: string) => callSandbox('merchants', { mchid, decision: 'approve' }),
  pay: (trade_no: string) => callSandbox('pay', { trade_no }),
}

const newest = async (to: string) => {
  const read = callSandbox<{ list: { id: number; code: string }[] }>(`inbox?to=${encodeURIComponent(to)}`)
  return (await read.catch(() => null))?.list.find(({ code }) => code !== '')
}

/** Returns a function that waits for the code of a mail that is sent after this call, '' without one within seconds. */
export async function awaitNextCode(to: string): Promise<() => Promise<string>> {
  const before = await newest(to)
  return async () => {
    for (let left = 60; left > 0; left--) {
      const message = await newest(to)
      if (message && message.id !== before?.id) return message.code
      await new Promise(resolve => setTimeout(resolve, 150))
    }
    return ''
  }
}
