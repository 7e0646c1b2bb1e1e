import { useEffect, useState } from 'react'
import type { Call, WalletResult } from '../extension/protocol.ts'
import { toOutcome } from '../requests/prepareRequest.ts'
import type { PreparedRequest } from '../requests/walletRequest.ts'
import { changeState, rememberRequest, type State } from '../state.ts'
import { texts } from '../texts.ts'
import { useWallet } from '../useWallet.ts'
import { Details } from './Details.tsx'
import { ApproveButton, Choice, Sheet } from './Sheet.tsx'

/**
 * A request that waits for the user. `origin` is the requester, `note` states whether it is
 * verified.
 */
export type Waiting = {
  id: number
  origin: string
  note?: string
  call: Call
  /** Prepares the request for display, or returns the response if it does not need the user. */
  prepare(state: State): Promise<PreparedRequest | WalletResult>
  answer(outcome: WalletResult): void
}

/** Shows one request and responds to it. */
export function Approve({ waiting }: { waiting: Waiting }) {
  const { origin, note, call } = waiting
  const wallet = useWallet()
  const [prepared, setPrepared] = useState<PreparedRequest>()
  const [busy, setBusy] = useState(false)
  const settled = (outcome: WalletResult, decision: string) => {
    // Without a note the origin is a proven one; an app must not pass for it.
    const who = note === undefined ? origin : texts.unproven(origin)
    rememberRequest({ origin: who, method: call.method, outcome: decision, atMs: Date.now() })
    waiting.answer(outcome)
  }
  const { locked, account, chainId } = wallet
  const { sites, solanaSites, polkadotSites, bitcoinSites } = wallet
  const connected = [sites, solanaSites, polkadotSites, bitcoinSites].map((sites) =>
    Object.hasOwn(sites, origin),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: prepares again when its inputs change
  useEffect(() => {
    if (locked) return
    let current = true
    setPrepared(undefined)
    waiting.prepare(wallet).then(
      (made) => {
        if (!current) return
        if ('title' in made) setPrepared(made)
        else waiting.answer(made)
      },
      (error) => current && settled(toOutcome(error), 'refused'),
    )
    return () => {
      current = false
    }
  }, [waiting, locked, account, chainId, ...connected])

  const reject = () =>
    settled(
      prepared?.refusal
        ? toOutcome(prepared.refusal)
        : { error: { code: 4001, message: 'User rejected the request' } },
      'rejected',
    )
  const approve = async () => {
    setBusy(true)
    try {
      settled({ result: await prepared?.approve?.() }, 'approved')
    } catch (error) {
      settled(toOutcome(error), 'failed')
    }
  }

  if (locked)
    return (
      <Sheet origin={origin} note={note} title={texts.locked}>
        <Choice onReject={reject}>
          <button
            type="button"
            className="primary"
            data-testid="unlock"
            onClick={() => changeState({ locked: false })}
          >
            {texts.unlock}
          </button>
        </Choice>
      </Sheet>
    )
  if (!prepared || busy)
    return (
      <Sheet origin={origin} note={note} title={texts.working}>
        {!busy && <Choice onReject={reject}>{null}</Choice>}
      </Sheet>
    )
  return (
    <Sheet origin={origin} note={note} title={prepared.title}>
      {prepared.warning && <p className="warning">{prepared.warning}</p>}
      <Details rows={prepared.rows} />
      <Choice onReject={reject}>
        {prepared.approve && <ApproveButton onApprove={() => void approve()} />}
      </Choice>
    </Sheet>
  )
}
