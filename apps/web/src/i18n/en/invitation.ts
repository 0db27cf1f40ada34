export default {
  title: (shop: string) => `Join ${shop}`,
  text: (by: string, role: string) =>
    by ? `${by} invites you. Your role: ${role}.` : `You are invited. Your role: ${role}.`,
  may: (may: string) => `With it: ${may}.`,
  newText: (email: string) => `Choose a password. You sign in with ${email}.`,
  signInText: (email: string) => `${email} has an account. Sign in with it to accept.`,
  accept: 'Accept the invitation',
  signIn: 'Sign in to accept',
  signInAgain: 'Sign in with another account',
}
