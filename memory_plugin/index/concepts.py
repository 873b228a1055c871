"""What words mean the same, what values are of one kind, and what words keep two facts apart: English and French.

Embeddings of small models put "port 8080" and "port 9090", "images" and "videos" equally near. These tables say which
of the two is a change of one thing and which is two things.
"""

# ruff: noqa: E501 -- one row is one meaning, however long

from __future__ import annotations

# Words for one thing, in one row: the row's first word stands for all of them. Joined words are written with `_`.
SAME = """
monday mondays lundi lundis
tuesday tuesdays mardi mardis
wednesday wednesdays mercredi mercredis
thursday thursdays jeudi jeudis
friday fridays vendredi vendredis
saturday saturdays samedi samedis
sunday sundays dimanche dimanches
january janvier
february février
april avril
june juin
july juillet
august août
september septembre
october octobre
november novembre
december décembre
release released releases releasing deploy deploys deployment ship put_it_online put_online goes_online on_livre go-live livrer livraison livraisons mise_en_ligne mises_en_ligne mise_en_production déployer déploiement déploie déploiements rollout go_live goes_live went_live publier publish hotfix correctif
test tests suite testing tester recette
limit limits limited cap capped maximum max ceiling upper_limit limite limites limité limitées plafond maximale minimum min at_least at_most exceed dépasser dépasse larger
manager boss report_to chef cheffe responsable supervisor
standup stand-up daily daily_meeting mêlée
own owns owner in_charge charge gère gérer looks_after look_after takes_care occupe maintains maintain maintainer responsible handles handle
lead leads head headed leader dirige
review reviews reviewer reviewed relit relire relecture reviewing
database db base datastore base_de_données
queue file_d_attente file broker message_queue
message messages messaging
deadline due échéance
job jobs task tasks tâche tâches worker workers
password passwords mot_de_passe mots_de_passe passphrase
login log_in sign_in connexion se_connecter connectent authentification authentication authentifie auth logged
user users utilisateur utilisateurs account accounts compte comptes
customer customers client clients
host hosted hosting héberge hébergé hébergement hébergée tourne runs_on
document documentation docs doc wiki manual manuel
folder dossier directory répertoire rangé
repository repo dépôt repositories monorepo
backup backups sauvegarde sauvegardes
server serveur servers serveurs machine
endpoint route url adresse address uri
listen listens écoute bound answers_on reach reachable
picture pictures image images photo photos mockups maquettes maquette
file fichier fichiers files attachment attachments pièce_jointe pièces_jointes upload uploads
log logs journaux journal logging logged
budget budgets
meeting réunion meetings réunions rendez-vous appointment sync review_meeting
demo démo démonstration
launch lancement start starts begin begins commence commencer démarre begins_on
flight vol
holiday holidays congés vacation vacances
train entraîne entraînement training trained apprentissage
model modèle
dataset jeu_de_données corpus data données
batch lot
key keys clé clés
flag flags feature_flag feature_flags
build built builds builder compile compiled compilation compiler compile_with
ci continuous_integration intégration_continue pipeline pipelines
dependency dependencies dépendances dépendance
install installs installation installer
lint linter linting
format formatter formatting formaté
commit commits
merge merged merging fusion pr pull_request pull_requests approval approvals approve
branch branche branches
language langue langues
answer answers reply replies réponse réponses réponds respond response
comment comments commentaire commentaires
explain explanation explique explication
indent indentation tab tabs space spaces espaces tabulations
theme mode thème
name named called nom appelle nommé rename renamed rebaptisé call
work works job_at bosse travaille developer développeur développeuse employed freelance freelancing
live lives habite living moved_to déménagé sleep
married single engaged fiancé marié mariée célibataire
gym climbing sport
run running cours courir course marathon semi
swim swimming piscine nage
morning mornings matin matins
evening evenings soir soirs night nights nuit
commute bus cycle bike vélo to_work
remote home_office from_home télétravail work_from_home home_day
eat mange vegetarian végétarien vegan meat viande gluten fish
coffee coffees café cafés
sleep dors sommeil sleeping
doctor médecin docteur docteure
drug medication pills ibuprofen mg médicament
budget euros spending
price prix cost coûte abonnement subscription
goal target aim objective objectif vise but viser
cover coverage couverture
timeout délai délai_d_attente délais
retry retries tentatives
cache caching cached
cron schedule scheduled nightly
newsletter lettre infolettre
licence license
platform plateforme
renderer rendering moteur_de_rendu rendu
metrics métriques metric
translate translations traduction traductions translators translation
crawler crawl
column columns
crash crashes crashed plantage plante planter
slow slowness lenteur slowdown lent
cause causes caused vient comes_from came_from culprit venait explains explique because_of
fix fixed fixes fixing corrigé corriger
invoice invoices facture factures billing facturation
payment payments paiement paiements
app application appli
front frontend
back backend
website site
sensor capteur sensors capteurs
engine moteur
battery batterie pile
team équipe
daughter fille
son fils
room salle
mail mails email emails e-mail courriel
order orders commande commandes
prod production
staging preprod préprod
notification notifications
session sessions
error errors erreur erreurs
freeze gel
request requests requête requêtes
minute minutes min
second seconds seconde secondes sec
hour hours heure heures h
day days jour jours
week weeks semaine semaines
month months mois
year years an ans
mb mo megabytes
gb go gigabytes
kb ko kilobytes
fps frames_per_second images_par_seconde
row rows lignes
rollback roll_back rollbacks revenir_en_arrière
contract contracts contrat contrats
grandmother grandma grand-mère mamie
mother mum mom maman mère
father dad papa père
vault coffre
race régate course_à_pied
import imports importer
alert alerts alerte alertes
flat apartment appartement studio
student étudiant étudiante students étudiants
pay pays paid paie payer paient charge charges
dog chien chienne puppy
cat chat
morning_walk promène promener walk walks
party fête fêter anniversary
feast salle_des_fêtes
mail_relay relais_de_mail
drone drones uav
license_server serveur_de_licences
vet vétérinaire
manager_of directs
sign signs signed signe signer signature signatures signent
order_form bons_de_commande bon_de_commande purchase_orders purchase_order
vat tva taxes ttc
autonomy autonomie endurance
developers développeurs developpeurs devs
school_year rentrée
summary résumé
screen display écran affichage
button bouton buttons
colour color couleur
purchase achat buy
schema schéma
archive archives
compress compression compresses compressé compressés
match matches partie
player players joueurs joueur
sell shop store boutique magasin
ship_to expédie delivery_to
refresh refreshed refreshes rafraîchie rafraîchi mise_à_jour
glasses lunettes
wine vin
tea thé
bread pain
phone téléphone mobile_phone
contact contacts interlocuteur interlocutrice
replace remplacer
wiki_page page_wiki
weather météo
garden jardin
kitchen cuisine
office bureau bureaux
lesson_learnt leçon
song chanson
teacher prof professeur enseignant enseignante
nurse infirmière infirmier
child children enfant enfants kids
brother frère
sister sœur
friend ami amie
neighbour voisin voisine
train_to trains
exam examen oral soutenance defence thesis thèse
conference salon conférence fair
workshop atelier
trip voyage travel
house maison
rent loyer
bike_ride sortie_vélo
signature_key clé_de_signature
access accès
form formulaire
printer imprimante
spec specs spécification spécifications
code_review relecture revue revues
ticket tickets issue issues
sprint sprints
board tableau
channel canal salon_slack
address adresse
number numéro
index indexes indices
page_size taille_de_page
cluster grappe
node nodes nœud nœuds
process processes processus
thread threads fil fils
memory mémoire ram
disk disque disques
network réseau
screen_size taille_écran
game jeu
kept retained retain conserve conserver conservés gardés garde archivées keep_for
europe eu ue european_union union_européenne
table tables
page pages
load charge
provider fournisseur supplier prestataire
frequency interval every toutes_les tous_les
primary_key clé_primaire
code code_base
novel roman
text texte
book livre
chapter chapitre
party fête
spreadsheet tableur
school école
expire expires expirent expiration
audience readers lecteurs
""".split("\n")

# Values of one kind: a thing that was one of them and is another now has changed.
KINDS = """
postgres postgresql mysql mariadb sqlite mongodb mongo cockroachdb cassandra dynamodb firestore oracle couchdb neo4j duckdb clickhouse bigquery snowflake timescaledb influxdb supabase lmdb rocksdb leveldb
redis memcached valkey keydb varnish hazelcast
rabbitmq kafka nats activemq redpanda sqs zeromq pulsar celery sidekiq cron rq dramatiq huey
jenkins circleci travis woodpecker drone gitlab_ci github_actions buildkite teamcity bamboo makefile
github gitlab bitbucket forgejo gitea codeberg sourcehut
aws azure gcp heroku netlify vercel cloudflare hetzner ovh scaleway digitalocean linode render fly railway cloudflare_pages gandi kaniko
python java kotlin swift go golang rust ruby php typescript javascript scala elixir erlang haskell ocaml c c++ c# zig perl lua dart julia clojure f# elm
react angular vue svelte solid ember nextjs next.js nuxt remix astro jquery preact
flutter react_native ionic xamarin capacitor swiftui electron tauri qt gtk
django flask fastapi rails laravel symfony spring express nestjs starlette sinatra phoenix
webpack vite rollup esbuild parcel turbopack
npm yarn pnpm bun pip poetry uv pipenv conda pdm
pytest unittest nose vitest jest mocha jasmine ava
cypress playwright selenium puppeteer webdriverio testcafe
flake8 pylint ruff eslint biome oxlint prettier black yapf standard
elasticsearch opensearch solr meilisearch typesense algolia whoosh tantivy lucene
pytorch tensorflow jax keras mxnet
gcc clang keil iar msvc llvm
opengl vulkan metal directx webgpu webgl
unity godot unreal bevy gamemaker
xml json yaml toml csv parquet protobuf msgpack avro po ini
figma penpot sketch xd
notion confluence outline wiki sharepoint bookstack gitbook docusaurus mkdocs sphinx swagger redoc
slack teams discord mattermost zulip matrix
jira linear trello asana youtrack redmine clockify toggl lucca
vim emacs helix vscode neovim pycharm zed nano intellij sublime
gpl mit apache bsd agpl lgpl mpl
ldap keycloak oauth saml passkeys passkey sms totp auth0 okta
docker podman kubernetes nomad systemd swarm
terraform pulumi ansible puppet chef saltstack cloudformation
1password vault bitwarden keepass lastpass
pgvector qdrant milvus weaviate chroma faiss lancedb pinecone annoy
gzip zstd brotli lz4 xz bzip2 snappy zip tar
sms pagerduty opsgenie slack telegram signal whatsapp phone email
word excel powerpoint latex libreoffice
iphone fairphone pixel samsung blackberry
hs256 rs256 ed25519 ecdsa rsa
svg canvas webgl
lcd oled e-paper epaper tft
junior senior lead
student graduate postdoc engineer étudiant étudiante ingénieur ingénieure
jenkinsfile justfile makefile taskfile
trunk trunk-based gitflow release_branches release_branch
localstorage sessionstorage cookies cookie indexeddb
inbound outbound
bakery office home
sha256 md5 blake3
argparse click typer docopt
nvidia amd intel apple
zip sftp ftp dropbox nextcloud drive onedrive
parents own flatmates alone
ssh mosh telnet
pandas polars dask spark
spring_boot quarkus micronaut
hugo jekyll eleventy gatsby ghost wordpress spip drupal joomla woocommerce shopify magento prestashop
mailjet mailgun sendgrid postmark ses buttondown mailchimp brevo
dagster airflow prefect luigi argo
mlflow wandb neptune tensorboard
celsius fahrenheit kelvin metric imperial
utc local_time localtime
rest graphql grpc soap trpc websockets websocket sse server-sent_events polling
can rs-485 rs485 i2c spi modbus uart zigbee lora lorawan ble bluetooth wifi mqtt ethernet
raspberry jetson arduino esp32 stm32 a100 a100s h100 h100s
float32 bfloat16 float16 int8 fp32 bf16 fp16
linux windows macos mac ubuntu debian fedora android ios freebsd
chrome firefox safari edge
english french german spanish italian dutch portuguese français anglais allemand espagnol anglaise française british american
monday tuesday wednesday thursday friday saturday sunday lundi mardi mercredi jeudi vendredi samedi dimanche mondays tuesdays wednesdays thursdays fridays saturdays sundays
january february march april june july august september october november december janvier février mars avril mai juin juillet août septembre octobre novembre décembre
spring summer autumn winter christmas easter printemps été automne hiver noël pâques rentrée
red blue green yellow orange purple black white grey rouge bleu vert jaune noir blanc gris
dark light sombre clair
tabs spaces tab
camelcase snake_case kebab-case pascalcase
morning evening night noon afternoon matin soir nuit midi
hour day week month year hourly daily weekly monthly yearly nightly jour semaine mois heure an
public private closed open invitation
train bus car bike bicycle tram metro cycle vélo voiture métro
float floats integer integers cents decimal
uuid uuids bigint bigints serial ulid
grid flexbox
redux zustand mobx pinia vuex recoil
tailwind bootstrap bulma
d3 plotly echarts chart.js matplotlib
pdf html docx markdown epub
wkhtmltopdf typst latex weasyprint pandoc
argon2 bcrypt scrypt pbkdf2
datadog grafana prometheus newrelic sentry loki
stripe paypal adyen mollie braintree
s3 minio backblaze gcs glacier
flags tickets spreadsheet tableur portal crm sheet weblate
first_person third_person première_personne troisième_personne
bullet_points prose paragraphs listes phrases lists
tutoie vouvoie vouvoyer tutoyer tu vous
short long longues courtes longue court détaillées concise
rebase squash merge_commit
""".split("\n")

# Words that tell one thing from its neighbour: where each fact has another one of a row, both hold.
APART = """
staging production prod préprod preprod dev sandbox live recette test
unit integration end-to-end e2e browser load unitaires charge bout_en_bout performance smoke
frontend backend front back server client serveur admin
ios android web desktop mobile bureau
image images video videos photo photos audio vidéo vidéos sound son sons avatar document documents
training validation test_set
input output entrée sortie
read write lecture écriture
free paid pro gratuit payant business team_plan plans guests members membres invités invité
first second third fourth next premier première deuxième seconde second suivante suivant troisième
left right gauche droite
incoming outgoing aller retour
public internal private interne internes publiques publics
european american us eu german dutch french polish austrian english spanish
old new ancien nouveau nouvelle ancienne
grandmother grandfather grand-mère grand-père grandma grandpa
go_files yaml_files python_files typescript_files
reads writes
my_daughter my_son
left_motor right_motor
web_client mobile_client
inlet outlet
brother sister mother father mum dad daughter son wife husband cousin niece nephew uncle aunt frère sœur mère père fille fils oncle tante nièce neveu cousine belle-sœur beau-frère
tables charts
unit e2e
title titles description descriptions summary résumé article subject
encoder decoder
password token tokens passwords
api database proxy dashboard frontend
logs traces metrics métriques
start stop arrêter lancer
upload download
main mirror principal miroir
weekdays weekend weekends
landlord plumber
bank insurance banque assurance assurances
""".split("\n")

# What is measured in a unit, by the unit's root: "20 MB" and "64 MB" are two sizes of one thing.
MEASURES = {
    unit: measure
    for measure, units in {
        "size": "mb gb kb tb",
        "duration": "second minute hour day week month year ms époque époques",
        "money": "euro euros € dollar dollars budget",
        "share": "% percent",
        "version": "postgresql postgres mysql python node java ruby php ios android version go",
        "length": "m mm cm km metre metres mètre mètres",
        "weight": "kg g grammes",
        "rate": "hz khz mhz ghz fps rpm",
        "voltage": "v mv",
        "address": "port poste",
        "pixels": "px megapixels",
    }.items()
    for unit in units.split()
}
BYTES = frozenset({"ko", "mo", "go"})  # behind a number; before one, Go is a language
# Words after which a number is a time of day.
AT = frozenset({"at", "à", "a", "h", "am", "pm"})

# Numbers as they are written out; the place of a word is its number.
NUMBERS = (
    "zero - two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen - - - - twenty",
    "zéro - deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize - - - vingt",
    " ".join(["-"] * 30) + " thirty",
    " ".join(["-"] * 30) + " trente",
    " ".join(["-"] * 40) + " forty",
    " ".join(["-"] * 40) + " quarante",
    " ".join(["-"] * 50) + " fifty",
    " ".join(["-"] * 50) + " cinquante",
    "- once twice",
)

# Where a sentence goes from what it is about to what it says of it.
VERBS = frozenset(
    """
    is are was were be been has have had must may might can could cannot can't will would should shall need needs takes
    take runs run listens listen lives live goes go went uses use holds answers works sits serves means gets got stays
    keeps keep starts start begins ends leaves lasts sleeps owns leads reviews manages maintains looks handles writes
    reads sends prints targets supports belongs happens costs expires contains shows stores responds
    est sont était étaient a ont doit doivent peut peuvent tourne tournent écoute va vont fait font passe passent sera
    seront ira commence démarre part gère dirige s'occupe occupe vit dort coûte tient se c'est vient répond utilise
    marche prend
    """.split()
)

# Words that stand in any sentence, whatever it is about; those that hold in every language are in `languages`.
FILLERS = frozenset(
    """
    now still already just also too actually really please want wants wanted use uses used using make makes made go goes
    gets got take takes keep keeps put run runs set sets need needs like prefer new old way thing things done ones back
    lets give gives let's i'd we'll i'll you'll that's it's don't can't i'm i've we've we're they're
    désormais finalement fait faut veux utilise utilisent met mets prend prends passe mettre faire truc chose choses
    aime préfère bien
    """.split()
)
