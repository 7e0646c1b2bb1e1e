import type { WalletAddresses } from '@latchkey/wire'
import { migration as t } from '../locales/migration.en.ts'
import { Button } from './parts/Button.tsx'
import { WalletCard } from './parts/WalletCard.tsx'
import type { ScreenCallbacks } from './screenQueue.ts'

/** A wallet to choose, with the name and the addresses by which the user recognizes it. */
export type WalletChoice = {
  readonly label: string
  readonly realm: string
  readonly addresses: WalletAddresses
  /** The action to confirm before its phrase is shown. */
  readonly action: 'export' | `export ${string}`
}

/** Asks the user for which wallet to show the phrase. */
export const ChoosePhraseScreen = ({
  choices,
  done,
}: { choices: readonly WalletChoice[] } & ScreenCallbacks<WalletChoice>) => (
  <div className="stack">
    <p className="lead">{t.chooseExport}</p>
    {choices.map((choice) => (
      <div className="stack" key={choice.realm}>
        <WalletCard label={choice.label} addresses={choice.addresses} />
        <Button kind="quiet" onClick={() => done(choice)}>
          {choice.label}
        </Button>
      </div>
    ))}
  </div>
)
