export default {
  "viewer": "Viewer",
  "support": "Support",
  "finance": "Finance",
  "owner": "Owner"
}
