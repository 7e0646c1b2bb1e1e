// Other workspaces compile this file too, and would not find the types.
/// <reference path="./bitcore.d.ts" />
import { Rejection } from './rejection.ts'
import type { Output, Transaction } from './transaction.ts'

/**
 * Runs the scripts of every input against the outputs that they spend. Throws {@link Rejection}
 * with a node's words.
 */
export async function verifyInputs(
  { bytes, inputs }: Transaction,
  spent: readonly Output[],
): Promise<void> {
  // Loading takes half a second, so only callers who send a transaction wait for it.
  const { default: bitcore } = await import('bitcore-lib')
  const { Interpreter } = bitcore.Script
  const parsed = new bitcore.Transaction(Buffer.from(bytes))
  // Taproot signs what all inputs spend.
  for (const [at, { script, value }] of spent.entries()) {
    const output = { script: new bitcore.Script(Buffer.from(script)), satoshis: Number(value) }
    const input = parsed.inputs[at]
    if (input) input.output = new bitcore.Transaction.Output(output)
  }
  const flags =
    Interpreter.SCRIPT_VERIFY_P2SH |
    Interpreter.SCRIPT_VERIFY_DERSIG |
    Interpreter.SCRIPT_VERIFY_STRICTENC |
    Interpreter.SCRIPT_VERIFY_LOW_S |
    Interpreter.SCRIPT_VERIFY_NULLDUMMY |
    Interpreter.SCRIPT_VERIFY_MINIMALDATA |
    Interpreter.SCRIPT_VERIFY_CHECKLOCKTIMEVERIFY |
    Interpreter.SCRIPT_VERIFY_CHECKSEQUENCEVERIFY |
    Interpreter.SCRIPT_VERIFY_WITNESS |
    Interpreter.SCRIPT_VERIFY_DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM |
    Interpreter.SCRIPT_VERIFY_NULLFAIL |
    Interpreter.SCRIPT_VERIFY_WITNESS_PUBKEYTYPE |
    Interpreter.SCRIPT_VERIFY_TAPROOT
  for (const [at, { script, value }] of spent.entries()) {
    const interpreter = new Interpreter()
    const scriptSig = new bitcore.Script(Buffer.from(inputs[at]?.scriptSig ?? []))
    const scriptPubkey = new bitcore.Script(Buffer.from(script))
    const witness = (inputs[at]?.witness ?? []).map((part) => Buffer.from(part))
    if (
      !runs(() =>
        interpreter.verify(scriptSig, scriptPubkey, parsed, at, flags, witness, Number(value)),
      )
    )
      throw new Rejection(
        `mandatory-script-verify-flag-failed (${toWords(interpreter.errstr)}), input ${at}`,
      )
  }
}

// The interpreter throws at some malformed signatures instead of refusing them.
function runs(verify: () => boolean) {
  try {
    return verify()
  } catch {
    return false
  }
}

const toWords = (code: string) =>
  code
    ? code
        .replace(/^SCRIPT_ERR_/, '')
        .replaceAll('_', ' ')
        .toLowerCase()
    : 'script failed'
