import { readDigits } from '@latchkey/wire'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { approvals } from '../locales/approvals.en.ts'
import { fill } from '../locales/en.ts'
import { PersonalPicture } from '../picture/PersonalPicture.tsx'
import { Button } from '../screens/parts/Button.tsx'
import type { AmountEditor } from './AmountEditor.tsx'
import { Groups, Rows } from './ApprovalRows.tsx'
import type { ApprovalView } from './approvalView.ts'
import { Pager } from './Pager.tsx'
import { useHoldToConfirm } from './useHoldToConfirm.ts'
import { useScrolledToEnd } from './useScrolledToEnd.ts'
import { useVisibilityGuard } from './useVisibilityGuard.ts'

const t = approvals.approve
const deafMs = 1_000
const holdTexts = { none: t.hold, holding: t.keepHolding, full: t.letGo } as const

/**
 * The card of a request: what is requested, who requests it, and the two buttons. Approving takes a
 * hold of 700 ms or typing the two digits shown. Either counts only while the guard is open and
 * after the end of the request has been visible once. In the first second, key presses do not
 * count. `onPress` is called when the user starts a hold or types. `onEdit` gets the amount that
 * the user wants instead, in smallest units, and renders a new card.
 */
export function ApprovalCard({
  view,
  onPress,
  onApprove,
  onReject,
  onEdit,
}: {
  view: ApprovalView
  onPress?: () => void
  onApprove: () => void
  onReject: () => void
  onEdit: (amount: string) => void
}) {
  const card = useRef<HTMLElement>(null)
  const confirm = useRef<HTMLButtonElement>(null)
  const request = useRef<HTMLElement>(null)
  const end = useRef<HTMLDivElement>(null)
  const { guard, state } = useVisibilityGuard([card, confirm])
  const { transactions = [] } = view
  const [index, setIndex] = useState(0)
  // Pages can only be turned in order, so a user on the last page has seen all of them.
  const isLast = index >= transactions.length - 1
  const isRead = useScrolledToEnd({ end, scroller: request, card, guard, isComplete: isLast })
  const [working, setWorking] = useState(false)
  const [Editor, setEditor] = useState<typeof AmountEditor>()
  const [isLost, setLost] = useState(false)
  const isEditing = Editor !== undefined
  const openEditor = () => {
    // Loaded on demand: most users never change an amount.
    import('./AmountEditor.tsx').then(
      (loaded) => setEditor(() => loaded.AmountEditor),
      () => setLost(true),
    )
  }
  const bornAt = useRef(performance.now())
  const approve = () => {
    if (working || isEditing || !isRead || view.blocked !== undefined) return
    if (guard.current?.check() !== true) return
    setWorking(true)
    onApprove()
  }
  const open = state === 'open' && isRead && view.blocked === undefined && !working && !isEditing
  const { hold, handlers } = useHoldToConfirm({
    guard,
    onPress: open ? onPress : undefined,
    onHeld: approve,
  })
  const deaf = () => performance.now() - bornAt.current < deafMs
  useEffect(() => {
    // The guard opens only while the card is visible; key presses cannot open it.
    card.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    // Ignores key presses that were meant for something else.
    const swallow = (event: KeyboardEvent) => {
      if ((event.repeat || deaf()) && (event.key === 'Enter' || event.key === ' ')) {
        event.preventDefault()
        event.stopPropagation()
      }
    }
    const names = ['keydown', 'keypress', 'keyup'] as const
    for (const name of names) window.addEventListener(name, swallow, true)
    return () => {
      for (const name of names) window.removeEventListener(name, swallow, true)
    }
  })
  return (
    <article className="approval" ref={card} aria-label={view.title} tabIndex={-1}>
      <header className="asker">
        {view.picture && <PersonalPicture picture={view.picture} isHidden={state === 'covered'} />}
        <p className="origin">{showOrigin(view.origin)}</p>
        {view.claimedName && (
          <p className="quiet small">{fill(t.claims, { name: view.claimedName })}</p>
        )}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable
          by keyboard */}
      <section className="asked" ref={request} tabIndex={0} aria-label={t.asked}>
        <h1>{view.title}</h1>
        <Groups groups={view.groups} />
        {view.editable && !Editor && (
          <button type="button" className="link" disabled={working} onClick={openEditor}>
            {t.change}
          </button>
        )}
        {view.editable && Editor && (
          <Editor
            editable={view.editable}
            onChange={onEdit}
            onCancel={() => setEditor(undefined)}
          />
        )}
        {view.blocked !== undefined && (
          <p className="notice" data-level="danger" role="alert">
            {view.blocked}
          </p>
        )}
        {dangersFirst(view.warnings).map(({ level, text }) => (
          <p className="notice" data-level={level} key={text}>
            {text}
          </p>
        ))}
        <Rows rows={view.rows} />
        {transactions[index] && (
          <Pager index={index} count={transactions.length} onTurn={setIndex}>
            <Groups groups={transactions[index].groups} />
            <Rows rows={transactions[index].rows} />
          </Pager>
        )}
        <div ref={end} className="end" />
        <Rows rows={view.place} />
      </section>
      <footer className="answer">
        <p className="state small quiet" role="status">
          {working
            ? t.working
            : isLost
              ? t.lost
              : stateOf(view, { state, isRead, isLast, isEditing })}
        </p>
        <div className="pair">
          <Button kind="quiet" onClick={onReject} disabled={working}>
            {t.reject}
          </Button>
          <button
            {...(isRead ? handlers : {})}
            type="button"
            ref={confirm}
            className="button hold"
            data-kind="main"
            data-hold={hold}
            data-open={open}
            aria-disabled={!open}
            draggable={false}
          >
            <span>{fill(holdTexts[hold], { action: view.action })}</span>
          </button>
        </div>
        {view.blocked === undefined && (
          <Digits
            action={view.action}
            enabled={open}
            deaf={deaf}
            onPress={onPress}
            onTyped={approve}
          />
        )}
      </footer>
    </article>
  )
}

/** For keyboards and screen readers: users do not type the shown digits by accident. */
function Digits({
  action,
  enabled,
  deaf,
  onPress,
  onTyped,
}: {
  action: string
  enabled: boolean
  deaf: () => boolean
  onPress: (() => void) | undefined
  onTyped: () => void
}) {
  const [digits] = useState(() => drawDigits())
  const [typed, setTyped] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!deaf() && enabled && typed === digits) onTyped()
    setTyped('')
  }
  return (
    <form className="digits" onSubmit={submit}>
      <label>
        <span className="small quiet">{fill(t.digits, { digits, action })}</span>
        <input
          aria-label={`${t.digitsLabel}: ${digits.split('').join(' ')}`}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={(event) => {
            if (!event.nativeEvent.isTrusted || deaf()) return
            const read = readDigits(event.target.value).slice(0, 2)
            event.target.value = read
            setTyped(read)
            if (enabled) onPress?.()
          }}
          onPaste={(event) => event.preventDefault()}
        />
      </label>
      {typed.length === 2 && (
        <button type="submit" className="link">
          {action}
        </button>
      )}
    </form>
  )
}

const dangersFirst = (warnings: ApprovalView['warnings']) =>
  ['danger', 'caution', 'note'].flatMap((level) => warnings.filter((one) => one.level === level))

const drawDigits = () => {
  // 200 is the largest multiple of 100 in a byte's range, so all digits are equally likely.
  for (;;) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
    if (byte < 200) return String(byte % 100).padStart(2, '0')
  }
}

function stateOf(
  view: ApprovalView,
  shown: { state: string; isRead: boolean; isLast: boolean; isEditing: boolean },
): string {
  const { state, isRead, isLast, isEditing } = shown
  if (view.blocked !== undefined) return ''
  if (isEditing) return t.changing
  if (state !== 'settling' && state !== 'open') return t.covered
  if (!isRead) return isLast ? t.scroll : t.pager.unseen
  return state === 'settling' ? t.waiting : ''
}

function showOrigin(origin: string): string {
  return origin.replace(/^https:\/\//, '')
}
