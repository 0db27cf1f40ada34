/** Whether a write failed because another row has the value already: two who ask at the same moment. */
export function isTaken(error: unknown, index: string): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '23505' && constraint === index
}
