/** SQL of a table of operators, removed ones included: people with their part in the installation. */
export const operatorsInSql = `(
  select p.id, p.email, p.password_hash, p.authenticator_secret, p.authenticator_step, p.created_at, e.role, e.since, e.invited_by,
    e.invitation_hash, e.invitation_until, e.changes, e.changed_at, e.removed_at
  from members e join persons p on p.id = e.person_id where e.merchant_id = '')`
