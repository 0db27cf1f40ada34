/** Apart from the codes of payments, which the login page does not load. */
export const loginType = { login: 1, register: 2, wallet: 3, googleLogin: 4 } as const
