export default {
  confirmBy: 'Confirm with',
  ways: { passkey: 'Passkey', google: 'Authenticator', email: 'Email', phone: 'Phone', recovery: 'Recovery code' },
  codes: { google: 'Authenticator code', email: 'Email code', phone: 'Phone code', recovery: 'Recovery code' },
  hints: {
    google: 'The 6-digit code from your authenticator app',
    recovery: 'One of the ten codes that you saved. Each works once.',
  },
  sentTo: (to: string) => `We send a 6-digit code to ${to}.`,
  passkeyHint: 'Your device asks for your fingerprint, face or PIN when you confirm.',
  passkeysElsewhere: (host: string) =>
    `Only a passkey confirms this, and yours work at ${host} only. Add one here under Account security first.`,
  wallets: {
    none: 'No wallet was found in this browser. Install one, or open this page in the browser of your wallet app.',
    failures: {
      canceled: 'The wallet did not sign. Please try again.',
      open: 'The wallet has an open request: answer it, then try again.',
      failed: 'The wallet could not sign. Unlock it and try again.',
    },
  },
  failures: {
    canceled: 'The passkey was not used. Please try again.',
    moved:
      'The passkey was not used. One made at another address of this site works there only: sign in another way, then add a new one here.',
    exists: 'This device already has a passkey of this account.',
    failed: 'This browser cannot use passkeys here. Open Coffer by its name, over https.',
  },
}
