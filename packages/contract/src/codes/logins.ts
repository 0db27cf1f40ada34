export const loginType = { login: 1, register: 2, wallet: 3, googleLogin: 4 } as const
