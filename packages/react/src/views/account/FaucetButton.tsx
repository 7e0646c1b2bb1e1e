import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import styles from './Tokens.module.css'
import { useFaucet } from './useFaucet.ts'

/** A button that has the faucet of a test network pay the account. Nothing on other networks. */
export function FaucetButton() {
  const t = useT(enActivity)
  const { isAvailable, getTestMoney, isPending, problem } = useFaucet()
  if (!isAvailable) return null
  return (
    <div className={styles.testMoney}>
      <Button variant="quiet" icon="drop" busy={isPending} onClick={getTestMoney}>
        {t('tokens.testMoney')}
      </Button>
      {problem && (
        <p role="alert" className={styles.failed}>
          {problem}
        </p>
      )}
    </div>
  )
}
