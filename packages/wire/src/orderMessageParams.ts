/**
 * The parameters of `personal_sign` in their order, message and address. Some pages swap them:
 * corrects the order if only the first parameter is the signing account.
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
