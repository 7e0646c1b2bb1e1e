import { type ReactNode, useEffect, useRef, useState } from 'react'
import { wouldDisablePasskey } from '../../flows/migration/wouldDisablePasskey.ts'
import { announceWallet } from '../../flows/walletNews.ts'
import { codes } from '../../locales/codes.en.ts'
import { fill } from '../../locales/en.ts'
import { migration as t } from '../../locales/migration.en.ts'
import { questions } from '../../locales/questions.en.ts'
import { carryAccountType } from '../../requests/calls/accountType.ts'
import type { WorkResult } from '../../wallet/worker/messages.ts'
import type { PageEnding, PageProps } from '../pageProps.ts'
import type { WithPicture } from '../screenQueue.ts'
import { ConfirmButton } from './ConfirmButton.tsx'
import { DropWallet } from './DropWallet.tsx'
import { GuardedButton } from './GuardedButton.tsx'
import { HoldingsList } from './Holdings.tsx'
import { buildPrompt } from './prompt.ts'
import { RecoveryKitForm } from './RecoveryKitForm.tsx'
import { useWork } from './useWork.ts'
import { WalletCard } from './WalletCard.tsx'

type Wallets = WorkResult<'readWallets'>
type OtherWallet = NonNullable<Wallets['other']>
type Props = PageProps &
  PageEnding &
  WithPicture & {
    wallets: Wallets
    other: OtherWallet
    /** Reads the wallets again. */
    onChanged: () => Promise<void>
  }

/**
 * The two wallets of a user, with the actions for them: move, use the other wallet here, bring it
 * here, drop it.
 */
export function TwoWallets(props: Props): ReactNode {
  const { wallets, other, read, facts, done } = props
  const { inUse, isMoved } = wallets
  const { isNewer, isHeld, addresses } = other
  const old = isNewer ? inUse.addresses : addresses
  const bring = () => done({ bring: other.realm })
  const lead = useRef<HTMLParagraphElement>(null)
  const last = useRef(inUse.realm)
  // The lead has changed, and may be above the visible part. The pressed button is gone.
  useEffect(() => {
    if (last.current !== inUse.realm) lead.current?.focus()
    last.current = inUse.realm
  }, [inUse.realm])
  if (!isMoved)
    return (
      <>
        {!isNewer && !isHeld && <p className="lead">{t.unmoved}</p>}
        {isNewer && !isHeld && (
          <p className="notice" data-level="caution">
            {t.elsewhereNew}
          </p>
        )}
        {isHeld && <MoveForm {...props} />}
        {!isHeld && (
          <GuardedButton kind="quiet" onPress={bring}>
            {isNewer ? t.bringNew : t.bringOld}
          </GuardedButton>
        )}
        {isNewer && <Drop {...props} />}
      </>
    )
  return (
    <>
      <p className="lead" ref={lead} tabIndex={-1}>
        {!isNewer ? t.nowNew : isHeld ? t.nowOld : t.stayedOld}
      </p>
      <WalletCard label={isNewer ? t.oldWallet : t.newWallet} addresses={inUse.addresses} isInUse />
      {addresses && (
        <WalletCard
          label={isNewer ? t.newWallet : t.oldWallet}
          addresses={addresses}
          canCopy={isNewer}
        />
      )}
      {old && <HoldingsList {...{ read, facts, addresses: old }} />}
      {!isHeld && !isNewer && <p className="notice">{t.elsewhereOld}</p>}
      {isHeld ? (
        <Use {...props} />
      ) : (
        <GuardedButton kind="quiet" onPress={bring}>
          {isNewer ? t.bringNew : t.bringOld}
        </GuardedButton>
      )}
      {!isNewer && <Drop {...props} />}
    </>
  )
}

/**
 * Tries the kit before anything is signed, and before anyone sees an address of the fresh wallet.
 */
function MoveForm({ wallets, keys, store, onChanged }: Props): ReactNode {
  const { busy, problem, run } = useWork()
  const move = (kit: string) =>
    run(async () => {
      const { addresses } = await keys.do('migrate', { kit })
      await carryAccountType(store, wallets.inUse.addresses.eip155, addresses.eip155)
      announceWallet()
      await onChanged()
    })
  return (
    <>
      <p className="lead">{t.ready}</p>
      <RecoveryKitForm
        action={t.move}
        busyLabel={t.moving}
        busy={busy}
        problem={problem}
        onSubmit={move}
      />
      <p className="small quiet">{t.noKit}</p>
    </>
  )
}

function Use({ other, keys, session, origin, picture, onChanged }: Props): ReactNode {
  const { busy, problem, run } = useWork()
  const use = () =>
    run(async () => {
      await keys.do('chooseWallet', { realm: other.realm })
      announceWallet()
      await onChanged()
    })
  return (
    <div className="stack">
      <ConfirmButton
        kind={other.isNewer ? 'main' : 'quiet'}
        busy={busy}
        asker={{ session, origin, picture }}
        question={askToUse(other)}
        onPress={use}
      >
        {other.isNewer ? t.useNew : t.useOld}
      </ConfirmButton>
      {!other.isNewer && <p className="small quiet">{t.useOldHint}</p>}
      {problem && (
        <p className="line" role="status" data-level="danger">
          {problem}
        </p>
      )}
    </div>
  )
}

/** The confirmation in a popup, with the same content. */
function askToUse({ isNewer, addresses }: OtherWallet) {
  const rows = addresses
    ? [
        { label: t.evm, address: addresses.eip155 },
        { label: t.solana, address: addresses.solana },
      ]
    : []
  return isNewer ? buildPrompt(questions.useNew, rows, 'note') : buildPrompt(questions.useOld, rows)
}

function Drop({ other, wallets, keys, session, done }: Props): ReactNode {
  const { walletId, realm, isNewer, isHeld, dropAtMs } = other
  const kept = wallets.inUse.realm
  const [isPasskeyLost, setPasskeyLost] = useState(false)
  useEffect(() => {
    // If the server is unreachable, nothing can be dropped either.
    wouldDisablePasskey(session.callPath, { dropped: realm, kept }).then(setPasskeyLost, () => {})
  }, [session, realm, kept])
  const drop = () =>
    done({
      run: async () => {
        await keys.do('dropOther', { walletId, realm })
      },
      code: {
        action: `drop ${walletId}`,
        about: { text: codes.stepUp.drop, target: isNewer ? t.newWallet : t.oldWallet },
      },
    })
  const hints = [
    isNewer ? t.dropNewHint : t.dropHint,
    ...(isNewer && !isHeld ? [t.dropLater] : []),
    ...(isPasskeyLost ? [t.dropPasskey] : []),
  ]
  const when =
    dropAtMs !== undefined &&
    new Date(dropAtMs).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <>
      {when && <p className="notice">{fill(t.dropAt, { when })}</p>}
      <DropWallet label={isNewer ? t.dropNew : t.dropOld} hints={hints} onDrop={drop} />
    </>
  )
}
