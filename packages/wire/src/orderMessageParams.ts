/**
 * The parameters of `personal_sign` in their order, message and address. Some pages swap them: they
 * are put right if only the first one is the account that signs.
 */
export function orderMessageParams(
  params: unknown,
  account: string,
): readonly [message: unknown, address: unknown] {
  const [first, second] = Array.isArray(params) ? (params as unknown[]) : []
  const isAccount = (value: unknown) =>
    typeof value === 'string' && value.toLowerCase() === account.toLowerCase()
  return isAccount(first) && !isAccount(second) ? [second, first] : [first, second]
}
