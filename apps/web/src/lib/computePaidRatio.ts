/**
 * The part of created payments that were paid, between 0 and 1; null without any, or where more were paid than created:
 * some were created before.
 */
export const computePaidRatio = ({ create_num, pay_num }: { create_num: number; pay_num: number }): number | null =>
  create_num > 0 && pay_num <= create_num ? pay_num / create_num : null
