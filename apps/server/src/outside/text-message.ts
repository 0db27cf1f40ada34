/** Sends one text message to a number in international form (+ and digits). Rejects when the service refused. */
export interface TextMessenger {
  send: (message: { to: string; text: string }) => Promise<void>
}

/** Hands messages to a service that takes `POST {to, text}` and answers 2xx. Without a URL every message is refused. */
export function smsMessenger(url: string): TextMessenger {
  return {
    async send(message) {
      if (url === '') throw new Error('COFFER_SMS_URL is not set: no text message can be sent')
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(message),
        redirect: 'error',
        signal: AbortSignal.timeout(10_000),
      })
      await answer.body?.cancel()
      if (!answer.ok) throw new Error(`the text message service answered ${answer.status}`)
    },
  }
}
