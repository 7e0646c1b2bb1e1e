/** An instruction with its accounts as addresses. */
type ProgramCall = {
  readonly program: string
  readonly accounts: readonly string[]
  readonly data: Uint8Array
}

const systemProgram = '11111111111111111111111111111111'

/**
 * The instructions of the System program that give an account data or another owner: by tag, the
 * place of that account. They are `CreateAccount`, `Assign`, `CreateAccountWithSeed`,
 * `InitializeNonceAccount`, `Allocate`, `AllocateWithSeed`, `AssignWithSeed` and
 * `CreateAccountAllowPrefund`.
 */
const places: Readonly<Record<number, number>> = {
  0: 1,
  1: 0,
  3: 1,
  6: 0,
  8: 0,
  9: 0,
  10: 0,
  13: 0,
}

/**
 * Whether an instruction gives the wallet's own address data or another owner. The address could
 * then never send SOL again, and an attacker could take over the account with all its SOL, without
 * a signature of the wallet. Only the tag is compared, because the program ignores bytes after the
 * fields.
 */
export function losesWallet({ program, accounts, data }: ProgramCall, own: string): boolean {
  const [tag = 0, ...high] = data.subarray(0, 4)
  if (program !== systemProgram || high.length < 3 || high.some(Boolean)) return false
  const place = places[tag]
  return place !== undefined && accounts[place] === own
}
