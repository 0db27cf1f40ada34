/** Limits shared by client and server. */
export const limits = {
  requestTimeoutMs: 30_000,
  retryIntervalMs: 500,
  retryMax: 5,
  toastThrottleMs: 1_000,
  pageSizes: [10, 20],
  pageSizeMax: 100,
  mobileWithdrawalPageSize: 7,
  notificationPageSize: 10,
  notificationsAllMax: 1_000,
  notificationListHeightPx: 465,
  readBatchDelayMs: 2_000,
  tickerPxPerFrame: 0.5,
  tickerPauseMs: 3_000,
  marketFollowMax: 4,
  marketSearchDebounceMs: 500,
  latestPayments: 4,
  /** Characters of the text that records are searched by, which may also be an address or a transaction. */
  recordTextMax: 128,
  statisticsDaysMax: 366,
  assetPieTop: 10,
  dashboardPieTop: 3,
  amountDecimals: 6,
  imageBytesMax: 3 * 1024 * 1024,
  passwordMin: 8,
  passwordMax: 72,
  codeDigits: 6,
  bodyBytesMax: 256 * 1024,
  /** Of calls without a session or key. */
  publicBodyBytesMax: 16 * 1024,
  /** Of shops, whose key is known before. */
  shopBodyBytesMax: 64 * 1024,
  codeTtlSeconds: 600,
  codeTriesMax: 5,
  codeResendSeconds: 60,
  /** Devices of a merchant that show payments as push messages. */
  pushDevicesMax: 10,
  /** Chats and systems that get the messages of a member. */
  messageChannelsMax: 10,
  /** Systems of the operator that get alerts. */
  alertHooksMax: 10,
  sessionIdleSeconds: 30 * 60,
  sessionMaxSeconds: 12 * 3600,
  passkeysMax: 20,
  recoveryCodes: 10,
  ipWhitelistMax: 20,
  embedOriginsMax: 10,
  /**
   * Of an application: rates that it states, rates that it reads from URLs, and percent added to prices, either way.
   */
  fixedRatesMax: 30,
  ownRatesMax: 10,
  spreadMax: 20,
  applicationNameMax: 64,
  applicationsMax: 50,
  /** Members of a shop and open invitations together. */
  membersMax: 100,
  webhookEndpointsMax: 10,
  importRowsMax: 500,
  maskHead: 5,
  maskTail: 4,
  metadataBytesMax: 16 * 1024,
  metadataKeysMax: 50,
  /** What an order is worth at least, in USDT. The sandbox takes less: what owners try first is a cent. */
  paymentUsdtMin: '0.01',
  paymentUsdtMinInSandbox: '0.0001',
  paymentTtlSecondsMin: 300,
  paymentTtlSecondsMax: 24 * 3600,
  paymentTtlSecondsDefault: 1_800,
} as const

/** The last time, in Unix seconds, that a call takes: later than any row. */
export const maxUnixSeconds = 10_000_000_000
