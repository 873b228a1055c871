"""What people say of tasks, of what is finished, dropped or open again, and of what happened when."""

from __future__ import annotations

# All of them said on Monday, 30 November 2026: (what the user says, category, a part of the one fact that is kept)
TASKS: list[tuple[str, str]] = [
    ("We still have to rotate the signing keys.", "rotate the signing keys"),
    ("TODO: write the migration guide for 2.0", "write the migration guide for 2.0"),
    ("Later we must move the thumbnails to the CDN.", "move the thumbnails to the CDN"),
    ("Next time we have to look at the slow invoice query.", "look at the slow invoice query"),
    ("Don't let me forget to renew the TLS certificate.", "renew the TLS certificate"),
    ("remind me to ask Jonas about the budget", "ask Jonas about the budget"),
    ("We haven't documented the webhook format yet.", "documented the webhook format yet"),
    ("The German translation is still missing.", "The German translation is still missing"),
    ("I need to archive the old buckets at some point.", "archive the old buckets"),
    ("Put the cleanup of the fixtures on the backlog.", "cleanup of the fixtures on the backlog"),
    ("The retry logic isn't tested yet.", "The retry logic isn't tested yet"),
    ("il faudra encore purger les anciennes sauvegardes", "purger les anciennes sauvegardes"),
    ("Il reste à brancher les alertes sur l'astreinte.", "brancher les alertes"),
    ("À faire plus tard : nettoyer les branches mortes.", "nettoyer les branches mortes"),
    ("Pense à relancer le fournisseur la prochaine fois.", "relancer le fournisseur"),
    ("Rappelle-moi de renouveler le certificat.", "renouveler le certificat"),
    ("On doit encore traduire la page des tarifs.", "traduire la page des tarifs"),
    ("La doc des webhooks n'est pas encore écrite.", "La doc des webhooks n'est pas encore écrite"),
    ("Fais-moi penser à appeler l'hébergeur.", "appeler l'hébergeur"),
]

NO_TASKS: list[str] = [
    "add a test for the parser",
    "can you fix the flaky test?",
    "please write the migration guide now",
    "Do we still have to rotate the keys?",
    "could you remind me how the export works?",
    "run the linter and commit",
    "ajoute un test pour l'analyseur",
    "peux-tu corriger le test instable ?",
    "Reste-t-il quelque chose à faire ?",
    "we still have time",
]

# category: event for done, decision for dropped, goal for open again
CLOSINGS: list[tuple[str, str, str]] = [
    ("the rate limiter is in", "event", "the rate limiter is in"),
    ("migration is done, verified in prod", "event", "migration is done, verified in prod"),
    ("We finished the German translation.", "event", "finished the German translation"),
    ("The webhook docs are live.", "event", "The webhook docs are live"),
    ("Jonas merged the retry logic this morning.", "event", "merged the retry logic"),
    ("The certificate has been renewed.", "event", "certificate has been renewed"),
    ("I rotated the signing keys, all good.", "event", "rotated the signing keys"),
    ("That's done, the old buckets are archived.", "event", "old buckets are archived"),
    ("you can cross the thumbnails task off", "event", "cross the thumbnails task off"),
    ("forget about the dark mode, we won't do it", "decision", "forget about the dark mode, we won't do it"),
    ("We dropped the mobile app.", "decision", "We dropped the mobile app"),
    ("The CSV import is cancelled.", "decision", "The CSV import is cancelled"),
    ("We won't support IE after all.", "decision", "won't support IE"),
    ("On ne fait plus la borne.", "decision", "ne fait plus la borne"),
    ("The refund flow needs another look.", "goal", "refund flow needs another look"),
    ("En fait le parking n'est pas réglé.", "goal", "parking n'est pas réglé"),
    ("I've uploaded the fonts, so that's off the list.", "event", "uploaded the fonts"),
    ("we don't need the admin page any more", "decision", "don't need the admin page any more"),
    ("the export is broken again, reopen it", "goal", "the export is broken again"),
    ("The memory leak is back.", "goal", "The memory leak is back"),
    ("The migration isn't done after all.", "goal", "The migration isn't done after all"),
    ("c'est fait, la migration est passée", "event", "la migration est passée"),
    ("La page des tarifs est en ligne.", "event", "La page des tarifs est en ligne"),
    ("On a livré les alertes d'astreinte.", "event", "livré les alertes d'astreinte"),
    ("J'ai renouvelé le certificat.", "event", "renouvelé le certificat"),
    ("on laisse tomber le mode sombre", "decision", "on laisse tomber le mode sombre"),
    ("L'import CSV est abandonné.", "decision", "L'import CSV est abandonné"),
    ("On n'a plus besoin de la page d'administration.", "decision", "plus besoin de la page d'administration"),
    ("L'export est de nouveau cassé.", "goal", "L'export est de nouveau cassé"),
    ("Finalement la migration n'est pas finie.", "goal", "la migration n'est pas finie"),
    ("Le bug des doublons est revenu.", "goal", "Le bug des doublons est revenu"),
]

NO_CLOSINGS: list[str] = [
    "done",
    "it's done",
    "all done, thanks",
    "is the migration done?",
    "when the migration is done, tell me",
    "Let me know once the export is fixed.",
    "make sure the rate limiter is in",
    "c'est fait",
    "la migration est passée ?",
    "dis-moi quand la migration est passée",
    "once the certificate has been renewed we can go on",
    "forget it",
    "hmm, that has already been fixed",
    "looks like it's done",
]

# (what the assistant says, category, a part of the fact)
REPORTED: list[tuple[str, str, str]] = [
    ("I've deployed the rate limiter to production.", "event", "deployed the rate limiter"),
    (
        "Done. The migration of the invoices is complete, all rows match.",
        "event",
        "migration of the invoices is complete",
    ),
    ("The German help page is now live.", "event", "German help page is now live"),
    ("Your signing keys have been rotated.", "event", "signing keys have been rotated"),
    ("Released v1.4 with the new seat map.", "event", "Released v1.4"),
    ("The login page works again: the domain of the cookie was wrong.", "event", "login page works again"),
    ("I couldn't finish the kiosk mode; the driver is missing.", "goal", "couldn't finish the kiosk mode"),
    ("The newsletter is off the list, as you asked.", "decision", "newsletter is off the list"),
    ("As agreed, we won't do the dark mode.", "decision", "won't do the dark mode"),
    ("The nightly export is failing again since the update.", "goal", "nightly export is failing again"),
    ("J'ai déployé le limiteur de débit en production.", "event", "déployé le limiteur de débit"),
    ("C'est fait. La page des tarifs est en ligne.", "event", "La page des tarifs est en ligne"),
    ("Comme convenu, on abandonne le mode sombre.", "decision", "on abandonne le mode sombre"),
    ("L'export de nuit est de nouveau en échec.", "goal", "export de nuit est de nouveau en échec"),
]

NOT_REPORTED: list[str] = [
    "The implementation is complete.",
    "All tasks are done.",
    "It is done.",
    "The tests are merged.",
    "Is the rate limiter live?",
    "L'implémentation est terminée.",
    "C'est fait.",
]

# (what the user says, category, the whole fact)
JOURNAL: list[tuple[str, str, str]] = [
    ("We released 1.4 today.", "event", "We released 1.4 today (2026-11-30)."),
    ("we finished the seat map on the 14th", "event", "we finished the seat map on the 14th (2026-11-14)"),
    (
        "The outage on Tuesday was an expired certificate.",
        "event",
        "The outage on Tuesday (2026-11-24) was an expired certificate.",
    ),
    (
        "The board approved the budget last week.",
        "event",
        "The board approved the budget last week (2026-11-23/2026-11-29).",
    ),
    (
        "Nadia presented the prototype on 3 November.",
        "event",
        "Nadia presented the prototype on 3 November (2026-11-03).",
    ),
    ("The demo for the museum is on Friday.", "event", "The demo for the museum is on Friday (2026-12-04)."),
    ("j'ai terminé la migration hier", "event", "j'ai terminé la migration hier (2026-11-29)"),
    ("on a livré le plan de salle mardi", "event", "on a livré le plan de salle mardi (2026-11-24)"),
    (
        "La panne de jeudi dernier venait du répartiteur.",
        "event",
        "La panne de jeudi dernier (2026-11-26) venait du répartiteur.",
    ),
    (
        "On a signé avec l'imprimeur le 14 novembre.",
        "event",
        "On a signé avec l'imprimeur le 14 novembre (2026-11-14).",
    ),
]

SEVERITIES: list[tuple[str, str]] = [
    ("Careful, the seed script wiped the production database last year.", "critical"),
    ("The root cause was a token that ended up in the logs: credentials leaked to the vendor.", "critical"),
    ("Lesson learned: the retry charged forty customers twice.", "critical"),
    ("Beware, the purge deletes all the backups too.", "critical"),
    ("It turns out the lock was missing, which cost us two days.", "high"),
    ("The problem was the connection pool: checkout had an outage of an hour.", "high"),
    ("The real cause was a race condition in the worker.", "high"),
    ("It turns out the proxy strips the Authorization header.", "medium"),
    ("Heads up, a minor thing: the help page has a wrong colour.", "low"),
    ("Attention, le script de purge a effacé la base de production.", "critical"),
    ("La cause était une clé : des données personnelles ont été publiées.", "critical"),
    ("Le problème venait du verrou, on y a passé toute la nuit.", "high"),
    ("Le vrai souci était une panne du répartiteur.", "high"),
    ("Le problème venait du fuseau horaire du conteneur.", "medium"),
    ("Attention, petit piège sans gravité : l'aide s'ouvre en anglais.", "low"),
]
