"""Whole conversations, and what a memory should hold of them afterwards."""

# ruff: noqa: E501 -- what somebody says is one string, however long

from __future__ import annotations

# title: (who says what, in order; the category and text of each fact that is kept, in order)
CONVERSATIONS: dict[str, tuple[list[tuple[str, str]], list[tuple[str, str]]]] = {
    "planning a ticket shop": (
        [
            ("user", "We are building a ticket shop for a small theatre. Plan the first milestone with me."),
            (
                "assistant",
                "Let me look at what is there.\n\nThe repository holds a Flask app with one model, `Performance`, and no checkout. I suggest three steps:\n\n1. Seat map and holds\n2. Payment\n3. Tickets as PDF",
            ),
            (
                "user",
                "Let's use Stripe Checkout rather than our own form, because nobody here wants to handle card data. The first milestone is due on 12 March.",
            ),
            (
                "assistant",
                "I've written the plan to `docs/milestone-1.md`. Holds expire after ten minutes. Open questions: who prints the tickets at the door, and whether season passes count as seats.",
            ),
            ("user", "Marta prints them, she owns the box office. Season passes come later."),
        ],
        [
            (
                "decision",
                "Let's use Stripe Checkout rather than our own form, because nobody here wants to handle card data.",
            ),
            ("constraint", "The first milestone is due on 12 March (2027-03-12)."),
            ("goal", "Still open: who prints the tickets at the door."),
            ("goal", "Still open: whether season passes count as seats."),
        ],
    ),
    "a nightly import that fails": (
        [
            ("user", "the nightly import fails since tuesday, can you find out why?"),
            ("assistant", "Let me check the logs first."),
            (
                "assistant",
                "The import fails in `parse_prices()` with a `KeyError: 'currency'`. Let me look at the supplier's file.",
            ),
            (
                "assistant",
                "Found it. The root cause is that the supplier renamed the column `currency` to `curr` on Tuesday, and `parse_prices()` looks it up without a default. Fixed by mapping both names in `importer/columns.py`. All 18 tests pass.",
            ),
            ("user", "great, thanks"),
        ],
        [
            ("lesson", "The import fails in `parse_prices()` with a `KeyError: 'currency'`."),
            (
                "lesson",
                "The root cause is that the supplier renamed the column `currency` to `curr` on Tuesday (2026-11-24), and `parse_prices()` looks it up without a default. Fixed by mapping both names in `importer/columns.py`.",
            ),
        ],
    ),
    "a backup is set up": (
        [
            ("user", "Set up the backup of the production database. It runs on db1.harbour.example, PostgreSQL 15."),
            (
                "assistant",
                "I've added `ops/backup.sh` and a systemd timer that runs it at 02:30 every night. To restore a dump, run `ops/restore.sh DATE` on db1. Caveat: the dumps hold no roles, they have to be created by hand first.",
            ),
            (
                "user",
                "Keep 14 days of dumps, no more. And never restore onto db1 itself, use the spare machine db2.harbour.example.",
            ),
        ],
        [
            (
                "reference",
                "Set up the backup of the production database. It runs on db1.harbour.example, PostgreSQL 15.",
            ),
            ("procedure", "To restore a dump, run `ops/restore.sh DATE` on db1."),
            ("lesson", "Caveat: the dumps hold no roles, they have to be created by hand first."),
            ("preference", "Never restore onto db1 itself, use the spare machine db2.harbour.example."),
        ],
    ),
    "a text is tightened": (
        [
            ("user", "Help me tighten the README introduction."),
            (
                "assistant",
                "Here is a tighter version:\n\n> Kiln turns Markdown into printable booklets.\n\nShall I replace the first paragraph with it?",
            ),
            ("user", "yes"),
            ("assistant", "Done."),
            ("user", "From now on write the docs in British English, and no exclamation marks."),
        ],
        [
            ("preference", "From now on write the docs in British English, and no exclamation marks."),
        ],
    ),
    "a model that overfits": (
        [
            ("user", "The churn model overfits badly. Have a look at notebooks/churn.ipynb"),
            (
                "assistant",
                "The validation score is .93 but the score on March is .61. The real problem is leakage: `last_invoice_date` is filled after a customer leaves, so the model reads the answer. Without that column validation drops to .71 and March rises to .68.",
            ),
            ("user", "Good catch. We decided to split by month instead of at random from now on."),
            (
                "assistant",
                "I've changed `make_split()` to split by month. Next steps: retrain with the calendar features, and compare with the logistic baseline.",
            ),
        ],
        [
            (
                "lesson",
                "The real problem is leakage: `last_invoice_date` is filled after a customer leaves, so the model reads the answer.",
            ),
            ("decision", "We decided to split by month instead of at random from now on."),
            ("goal", "Still open: retrain with the calendar features."),
            ("goal", "Still open: compare with the logistic baseline."),
        ],
    ),
    "a greeting": (
        [
            ("user", "hi, how are you today?"),
            ("assistant", "I'm doing well, thank you! What would you like to work on?"),
            ("user", "just saying hello, talk later"),
        ],
        [],
    ),
    "requests for the moment": (
        [
            ("user", "Please write a haiku about the sea"),
            ("assistant", "Waves fold into foam,\nthe harbour lamp counts the dark,\nsalt dries on the rope."),
            ("user", "another one, please"),
            ("assistant", "Grey gulls on the pier\nargue about yesterday,\nthe tide takes no side."),
            ("user", "Convert 30 degrees Celsius to Fahrenheit."),
            ("assistant", "30 °C is 86 °F: multiply by 9/5 and add 32."),
            ("user", "Name three rivers in France."),
            ("assistant", "The Loire, the Rhône and the Garonne are three rivers that cross France."),
        ],
        [],
    ),
    "a question of general knowledge between two about the project": (
        [
            ("user", "Our importer reads the price lists of forty suppliers. Rename `parse` to `parse_prices`."),
            ("assistant", "Renamed in four files. `importer/prices.py` now exports `parse_prices()` only."),
            ("user", "What is the capital of Australia?"),
            (
                "assistant",
                "The capital of Australia is Canberra, which was chosen as a compromise between Sydney and Melbourne.",
            ),
            ("user", "ok. Always run `ruff` after a rename."),
        ],
        [
            ("event", "Renamed in four files. `importer/prices.py` now exports `parse_prices()` only."),
            ("preference", "Always run `ruff` after a rename."),
        ],
    ),
    "mails that leave twice": (
        [
            ("user", "Les courriels de confirmation partent deux fois, tu peux regarder ?"),
            ("assistant", "Je regarde la file d'attente."),
            (
                "assistant",
                "Trouvé. La cause était que le worker `mailer` acquitte le message après l'envoi : quand l'envoi dure plus de 30 secondes, la file le redonne. Corrigé en acquittant avant l'envoi, dans `mailer/worker.py`. Il reste à vider la file de recette.",
            ),
            ("user", "Super. Note que la file de production s'appelle mail-prod-2, pas mail-prod."),
        ],
        [
            (
                "lesson",
                "La cause était que le worker `mailer` acquitte le message après l'envoi : quand l'envoi dure plus de 30 secondes, la file le redonne. Corrigé en acquittant avant l'envoi, dans `mailer/worker.py`.",
            ),
            ("goal", "Il reste à vider la file de recette."),
            ("reference", "La file de production s'appelle mail-prod-2, pas mail-prod."),
        ],
    ),
    "a site is rebuilt": (
        [
            (
                "user",
                "On prépare la refonte du site de la médiathèque. On garde Symfony plutôt que de passer à Laravel, parce que l'équipe le connaît.",
            ),
            ("assistant", "C'est noté, je prépare la liste des lots."),
            (
                "user",
                "La recette est sur https://recette.mediatheque.example et c'est Karim qui valide les maquettes. Pas de mise en production le vendredi.",
            ),
            ("assistant", "J'ai rédigé `docs/lots.md`. Points ouverts : l'import des notices et la date de bascule."),
        ],
        [
            ("decision", "On garde Symfony plutôt que de passer à Laravel, parce que l'équipe le connaît."),
            (
                "reference",
                "La recette est sur https://recette.mediatheque.example et c'est Karim qui valide les maquettes.",
            ),
            ("preference", "Pas de mise en production le vendredi."),
            ("goal", "Reste à faire : l'import des notices."),
            ("goal", "Reste à faire : la date de bascule."),
        ],
    ),
    "two languages": (
        [
            ("user", "Hi! The API docs stay in English but answer me in French please."),
            ("assistant", "D'accord, je répondrai en français."),
            ("user", "Désormais, utilise toujours des noms anglais pour les variables."),
            ("assistant", "Entendu. Pour lancer les tests : `make test`."),
            ("user", "The staging key is in 1Password, vault Atlas. Demande à Yasmine pour y accéder."),
        ],
        [
            ("preference", "The API docs stay in English but answer me in French please."),
            ("preference", "Désormais, utilise toujours des noms anglais pour les variables."),
            ("procedure", "Pour lancer les tests : `make test`."),
            ("reference", "The staging key is in 1Password, vault Atlas."),
            ("relationship", "Demande à Yasmine pour y accéder."),
        ],
    ),
    "a wrong name is put right": (
        [
            ("user", "Start the worker and look at the queue length."),
            ("assistant", "The worker runs with `celery -A shop worker`, the queue holds 1,204 messages."),
            ("user", "No, the app is called `boutique`, not `shop`. And don't start workers on the bastion."),
            (
                "assistant",
                "Sorry. To start the worker, run `celery -A boutique worker` on worker1. The queue holds 12 messages.",
            ),
        ],
        [
            ("procedure", "The worker runs with `celery -A shop worker`, the queue holds 1,204 messages."),
            ("reference", "The app is called `boutique`, not `shop`."),
            ("preference", "Don't start workers on the bastion."),
            ("procedure", "To start the worker, run `celery -A boutique worker` on worker1."),
        ],
    ),
    "a feature is added": (
        [
            ("user", "add a dark mode to the settings page"),
            ("assistant", "I'll read the theme first."),
            (
                "assistant",
                "I've added the dark mode: the palette is in `theme/dark.css`, and the choice is stored in the cookie `kiln_theme` so that the server can render the first page in it. Note that the charts keep their light colours, the library can't change them after the first paint.\n\nNot done: the print style.",
            ),
            ("user", "perfect, commit it"),
        ],
        [
            (
                "lesson",
                "Note that the charts keep their light colours, the library can't change them after the first paint.",
            ),
            ("goal", "Still open: the print style."),
        ],
    ),
    "an option of a table is chosen": (
        [
            (
                "assistant",
                "Where should the sessions live?\n\n| Option | Description |\n|---|---|\n| **A. Redis (Recommended)** | fast, lost on restart |\n| **B. PostgreSQL** | slower, survives a restart |\n\nWhich do you prefer?",
            ),
            ("user", "B"),
        ],
        [
            ("decision", "Decided: PostgreSQL – slower, survives a restart"),
        ],
    ),
    "a way of working is chosen": (
        [
            (
                "assistant",
                "The plan is written. Two ways to execute it:\n\n1. Subagent-Driven (this session) - I dispatch a fresh subagent per task\n2. Parallel Session (separate) - open a new session\n\nWhich approach?",
            ),
            ("user", "1"),
        ],
        [],
    ),
    "French requests for the moment": (
        [
            ("user", "Écris-moi un poème sur la pluie"),
            (
                "assistant",
                "La pluie frappe doucement les tuiles de la maison,\nle jardin boit et se tait jusqu'au matin.",
            ),
            ("user", "Quelle est la hauteur de la tour Eiffel ?"),
            ("assistant", "La tour Eiffel mesure 330 mètres depuis l'installation de son antenne en 2022."),
        ],
        [],
    ),
    "a compaction": (
        [
            (
                "summary",
                "This session is being continued from a previous conversation that ran out of context. The conversation is summarized below:\n\n1. Primary Request and Intent:\n   The user moves the photo archive of the rowing club from a shared disk to object storage.\n\n2. Errors and fixes:\n   - Uploads above 64 MB failed with a 413: nginx limits the body to 64 MB. Raised `client_max_body_size` to 512m in `deploy/nginx.conf`.\n\n3. Pending Tasks:\n   - Delete the originals on the shared disk after the committee has looked at the archive.\n\nIf you need specific details from before compaction (like exact code snippets), read the full transcript at: /home/ana/.claude/x.jsonl\nPlease continue the conversation from where we left it off.",
            ),
            ("user", "go on"),
        ],
        [
            (
                "lesson",
                "Uploads above 64 MB failed with a 413: nginx limits the body to 64 MB. Raised `client_max_body_size` to 512m in `deploy/nginx.conf`.",
            ),
            (
                "goal",
                "Still open: Delete the originals on the shared disk after the committee has looked at the archive.",
            ),
        ],
    ),
    "a plugin's boilerplate": (
        [
            ("user", "Refactor the mail templates."),
            ("assistant", "I'm using the writing-plans skill to create the implementation plan."),
            (
                "assistant",
                "**Plan complete and saved to `docs/plans/mail.md`.** Two execution options:\n\n1. Subagent-Driven (this session) - I dispatch a fresh subagent per task, review between tasks\n2. Parallel Session (separate) - Open a new session with executing-plans\n\nWhich approach?",
            ),
            ("user", "1"),
            (
                "assistant",
                "The templates now inherit from `mail/base.html`. Gotcha: Outlook drops `<style>` blocks, so the colours have to be inline, which `inline_css()` does at send time.",
            ),
        ],
        [
            (
                "lesson",
                "Gotcha: Outlook drops `<style>` blocks, so the colours have to be inline, which `inline_css()` does at send time.",
            ),
        ],
    ),
}
