/** Sends one mail; resolves when the next hop took it, rejects when it did not. */
export interface Mailer {
  send: (mail: { to: string; subject: string; text: string }) => Promise<void>
}
