/** Sends one text message to a number in E.164 format (+ and digits). Rejects when the service does not accept it. */
export interface TextMessenger {
  send: (message: { to: string; text: string }) => Promise<void>
}

/** Sends messages through a service that takes `POST {to, text}` and answers 2xx. With an empty URL every send rejects. */
export function smsMessenger(url: string): TextMessenger {
  return {
    async send(message) {
      if (url === '') throw new Error('COFFER_SMS_URL is not set: text messages cannot be sent')
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
