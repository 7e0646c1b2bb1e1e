const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const token2022Program = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

type TokenAccount = {
  account: { data: { parsed: { info: { mint: string; tokenAmount: { amount: string } } } } }
}

/** What any program would do: SOL and the tokens of both programs in one request, added up by mint. */
export async function readSolanaNode(node: string, owner: string): Promise<Map<string, bigint>> {
  const options = { encoding: 'jsonParsed', commitment: 'confirmed' }
  const calls = [
    { method: 'getBalance', params: [owner, { commitment: 'confirmed' }] },
    ...[tokenProgram, token2022Program].map((programId) => ({
      method: 'getTokenAccountsByOwner',
      params: [owner, { programId }, options],
    })),
  ]
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(node, { method: 'POST', headers, body })
  const [, ...lists] = (await response.json()) as { result: { value: TokenAccount[] } }[]
  const sums = new Map<string, bigint>()
  for (const { account } of lists.flatMap(({ result }) => result.value)) {
    const { mint, tokenAmount } = account.data.parsed.info
    sums.set(mint, (sums.get(mint) ?? 0n) + BigInt(tokenAmount.amount))
  }
  return sums
}
