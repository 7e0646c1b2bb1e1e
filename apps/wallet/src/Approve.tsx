import { type ReactNode, useEffect, useState } from 'react'
import type { Config } from './config.ts'
import { outcomeOf, type Prepared, prepare, type Row } from './prepare.ts'
import type { Call, Outcome } from './protocol.ts'
import { showText } from './showText.ts'
import { changeState, rememberRequest } from './state.ts'
import { Tree } from './Tree.tsx'
import { texts } from './texts.ts'
import { useWallet } from './useWallet.ts'

/** A request that waits for a person; `origin` is the verified one. */
export type Waiting = { id: number; origin: string; call: Call; answer(outcome: Outcome): void }

/** Shows one request and answers it. */
export function Approve({ config, waiting }: { config: Config; waiting: Waiting }) {
  const { origin, call } = waiting
  const wallet = useWallet()
  const [prepared, setPrepared] = useState<Prepared>()
  const [busy, setBusy] = useState(false)
  const settled = (outcome: Outcome, note: string) => {
    rememberRequest({ origin, method: call.method, outcome: note, atMs: Date.now() })
    waiting.answer(outcome)
  }
  const { locked, account, chainId } = wallet
  const connected = Object.hasOwn(wallet.sites, origin)
  // biome-ignore lint/correctness/useExhaustiveDependencies: prepared again when what it depends on changes
  useEffect(() => {
    if (locked) return
    let current = true
    setPrepared(undefined)
    prepare({ origin, call, config, state: wallet }).then(
      (made) => {
        if (!current) return
        if ('result' in made) waiting.answer({ result: made.result })
        else setPrepared(made)
      },
      (error) => current && settled(outcomeOf(error), 'refused'),
    )
    return () => {
      current = false
    }
  }, [waiting, locked, account, chainId, connected])

  const reject = () =>
    settled(
      prepared?.refusal
        ? outcomeOf(prepared.refusal)
        : { error: { code: 4001, message: 'User rejected the request' } },
      'rejected',
    )
  const approve = async () => {
    setBusy(true)
    try {
      settled({ result: await prepared?.approve?.() }, 'approved')
    } catch (error) {
      settled(outcomeOf(error), 'failed')
    }
  }

  if (locked)
    return (
      <Sheet origin={origin} title={texts.locked}>
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
      <Sheet origin={origin} title={texts.working}>
        {!busy && <Choice onReject={reject}>{null}</Choice>}
      </Sheet>
    )
  return (
    <Sheet origin={origin} title={prepared.title}>
      {prepared.warning && <p className="warning">{prepared.warning}</p>}
      <dl data-testid="details">
        {prepared.rows.map((row) => (
          <Line key={row.label} row={row} />
        ))}
      </dl>
      <Choice onReject={reject}>
        {prepared.approve && (
          <button
            type="button"
            className="primary"
            data-testid="approve"
            // The second half of a double click is not meant for the request that has just appeared.
            onClick={(event) => event.detail < 2 && approve()}
          >
            {texts.approve}
          </button>
        )}
      </Choice>
    </Sheet>
  )
}

function Sheet({
  origin,
  title,
  children,
}: {
  origin: string
  title: string
  children: ReactNode
}) {
  return (
    <>
      <p className="origin">
        <strong data-testid="origin">{origin}</strong> {texts.asks}
      </p>
      <h1 aria-live="polite" data-testid="title">
        {title}
      </h1>
      {children}
    </>
  )
}

function Choice({ onReject, children }: { onReject: () => void; children: ReactNode }) {
  return (
    <div className="choice">
      <button type="button" data-testid="reject" onClick={onReject}>
        {texts.reject}
      </button>
      {children}
    </div>
  )
}

function Line({ row }: { row: Row }) {
  return (
    <>
      <dt>{row.label}</dt>
      <dd>
        {row.value !== undefined && <span>{showText(row.value)}</span>}
        {row.text !== undefined && <pre>{showText(row.text)}</pre>}
        {row.tree !== undefined && <Tree value={row.tree} />}
      </dd>
    </>
  )
}
