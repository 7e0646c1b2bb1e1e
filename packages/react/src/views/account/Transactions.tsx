import { ActivityList } from './ActivityList.tsx'

/** The account's activity by itself. */
export const Transactions = () => <ActivityList />
