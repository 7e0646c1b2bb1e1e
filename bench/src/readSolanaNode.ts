const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const token2022Program = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

type TokenAccount = {
  account: { data: { parsed: { info: { mint: string; tokenAmount: { amount: string } } } } }
}
type TokenAccountsResponse = { result: { value: TokenAccount[] } }

/**
 * The work of a program without Latchkey: reads SOL and the tokens of both programs and sums them
 * by mint. `separate` sends each call in its own request, like Solana's client libraries; `batch`
 * is the minimum that a custom program could send.
 */
export async function readSolanaNode(
  node: string,
  owner: string,
  way: 'separate' | 'batch',
): Promise<Map<string, bigint>> {
  const options = { encoding: 'jsonParsed', commitment: 'confirmed' }
  const calls = [
    { method: 'getBalance', params: [owner, { commitment: 'confirmed' }] },
    ...[tokenProgram, token2022Program].map((programId) => ({
      method: 'getTokenAccountsByOwner',
      params: [owner, { programId }, options],
    })),
  ].map((call, id) => ({ jsonrpc: '2.0', id, ...call }))
  const [, ...lists] =
    way === 'batch'
      ? ((await post(node, calls)) as TokenAccountsResponse[])
      : await Promise.all(calls.map((call) => post(node, call) as Promise<TokenAccountsResponse>))
  const sums = new Map<string, bigint>()
  for (const { account } of lists.flatMap(({ result }) => result.value)) {
    const { mint, tokenAmount } = account.data.parsed.info
    sums.set(mint, (sums.get(mint) ?? 0n) + BigInt(tokenAmount.amount))
  }
  return sums
}

async function post(node: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(node, { method: 'POST', headers, body: JSON.stringify(body) })
  return response.json()
}
