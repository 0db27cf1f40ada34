/** The levels that operators give to merchants. */
export const riskLevels = ['fail', 'pass', 'excellent', 'abnormal'] as const
/** With these every withdrawal of the merchant waits for an operator. */
export const manualReviewRiskLevels: readonly string[] = ['fail', 'abnormal'] satisfies (typeof riskLevels)[number][]
