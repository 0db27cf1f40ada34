/** Sends one text message to a number in international form (+ and digits). Rejects when the service refused. */
export interface TextMessenger {
  send: (message: { to: string; text: string }) => Promise<void>
}
